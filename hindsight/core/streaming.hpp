/// Writing past the caches, for what is read again only after much else: its place need not be
/// fetched before it is written over, and nothing that is wanted sooner makes room for it.
#pragma once

#include "hindsight/core/point.hpp"

namespace hindsight {

/// Is a table of so many bytes out of the caches before it is gone through again?
bool larger_than_caches(std::size_t bytes);

/// to = from, which do not overlap.
void stream(PointView from, PointRef to);
/// After streams, before another thread may read what they wrote.
void finish_streams();

}  // namespace hindsight
