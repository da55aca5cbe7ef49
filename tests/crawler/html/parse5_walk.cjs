// Links of pages as the tree of parse5 (a WHATWG parser of others, scripting off) holds them. Reads a JSON array
// of texts from the file named, writes a JSON array of lists [tag, attribute, value] in document order.
// Shares nothing with weir. Exit 3: parse5 is not installed.
"use strict";
const fs = require("fs");

function find_parse5() {
  for (const place of ["parse5", "/usr/share/nodejs/parse5"]) {
    try {
      return require(place);
    } catch {
      // the next place
    }
  }
  process.exit(3);
}
const parse5 = find_parse5();

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";
const ATTRIBUTES = {
  a: ["href"], area: ["href"], iframe: ["src", "longdesc"], frame: ["src", "longdesc"], img: ["src", "longdesc"],
  source: ["src"], video: ["src", "poster"], audio: ["src"], track: ["src"], embed: ["src"], script: ["src"],
  object: ["data"], applet: ["codebase", "code", "archive"], body: ["background"], html: ["manifest"],
  table: ["background"], tr: ["background"], td: ["background"], th: ["background"], blockquote: ["cite"],
  q: ["cite"], ins: ["cite"], del: ["cite"], head: ["profile"], link: ["href"],
};
const SVG_REQUISITES = new Set(["image", "use", "feImage", "script"]);

function links_of(node, attribute_of) {
  const tag = node.tagName;
  const has = (name) => attribute_of.has(name);
  if (node.namespaceURI === SVG) {
    const name = has("href") ? "href" : "xlink:href";
    return (tag === "a" || SVG_REQUISITES.has(tag)) && has(name) ? [name] : [];
  }
  if (node.namespaceURI !== HTML) return has("href") ? ["href"] : [];
  const names = (ATTRIBUTES[tag] ?? []).filter(has);
  if (tag === "input" && (attribute_of.get("type") ?? "").toLowerCase() === "image" && has("src")) names.push("src");
  return names;
}

function walk(html) {
  const found = [];
  const seen = new Set(); // parse5 keeps where an element was written: copies of one are one
  const pending = [parse5.parse(html, { scriptingEnabled: false, sourceCodeLocationInfo: true })];
  while (pending.length > 0) {
    const node = pending.pop();
    for (let i = (node.childNodes ?? []).length - 1; i >= 0; --i) pending.push(node.childNodes[i]);
    if (node.attrs === undefined) continue;
    const at = node.sourceCodeLocation ? node.sourceCodeLocation.startOffset : undefined;
    if (at !== undefined && seen.has(at)) continue;
    seen.add(at);
    const attribute_of = new Map(node.attrs.map((a) => [a.prefix ? `${a.prefix}:${a.name}` : a.name, a.value]));
    for (const name of links_of(node, attribute_of)) found.push([node.tagName, name, attribute_of.get(name)]);
  }
  return found;
}

const inputs = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
process.stdout.write(JSON.stringify(inputs.map(walk)));
