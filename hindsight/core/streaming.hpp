/// Writing past the caches, for what is read again only after much else: its place need not be
/// fetched before it is written over, and nothing that is wanted sooner makes room for it.
#pragma once

#include "hindsight/core/point.hpp"

namespace hindsight {

/// Tables of at least so many bytes are out of the caches before they are gone through again.
constexpr std::size_t larger_than_caches = std::size_t{16} << 20;

/// to = from, which do not overlap.
void stream(PointView from, PointRef to);
/// After streams, before another thread may read what they wrote.
void finish_streams();

}  // namespace hindsight
