// What a filter's false-positive rate will be, computed from how balls fall into bins instead of the textbook
// formula. Blocks do not fill evenly (their loads are Poisson), and the fullest answer for most of the false
// positives: the textbook promises two thirds of the true rate at 1e-3. Pure; a curve costs about a
// millisecond.
#pragma once

#include <vector>

#include "dedup/bloom/block_layout.h"

namespace weir::dedup::bloom {

// curve[j]: chance that all `probes` of a stranger hit set bits in a block that `j` keys with as many probes
// each have marked. kWords: exact, one probe in each word. Otherwise: exact for independent probes.
std::vector<double> block_curve(Layout layout, unsigned probes_per_block);

// The mean of `curve` over blocks whose loads are Poisson with this mean.
double poisson_mean(const std::vector<double>& curve, double keys_per_block);

}  // namespace weir::dedup::bloom
