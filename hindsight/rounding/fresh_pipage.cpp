#include "hindsight/rounding/fresh_pipage.hpp"

#include <algorithm>
#include <numeric>

namespace hindsight {

FreshPipage::FreshPipage(LaminarMatroidPtr matroid) : matroid_(std::move(matroid)) {
  const auto& family = matroid_->family();
  const int all = static_cast<int>(family.size());
  const auto known = [all](int set) { return set < 0 ? all : set; };
  for (Item i = 0; i < matroid_->dimension(); ++i)
    innermost_.push_back(known(matroid_->innermost(i)));
  for (const LaminarSet& set : family) {
    parent_.push_back(known(set.parent));
    capacity_.push_back(static_cast<int>(set.capacity));
  }
  rests_.resize(family.size() + 1);
  one_set_ = std::all_of(innermost_.begin(), innermost_.end(), [](int set) { return set == 0; });
  words_.resize(innermost_.size() + family.size() + 1);  // one a meeting at most
  order_.resize(innermost_.size());
  std::iota(order_.begin(), order_.end(), 0);
  taken_.resize(innermost_.size() + 1);
}

void FreshPipage::draw(PointView x, Stream& stream, ItemSet& out) {
  stream.fill_bits(words_);
  // Fisher, Yates with the low 24 bits of a word; its high 40 bits are a coin.
  std::iota(order_.begin(), order_.end(), 0);
  for (std::size_t i = order_.size(); i > 1; --i)
    std::swap(order_[i - 1], order_[(words_[i - 1] & 0xffffff) * i >> 24]);
  const std::uint64_t* word = words_.data();
  draw_in_order(
      order_, x,
      [&word](double part, double whole) {
        return static_cast<double>(*word++ >> 24) * 0x1p-40 * whole < part;
      },
      out);
}

}  // namespace hindsight
