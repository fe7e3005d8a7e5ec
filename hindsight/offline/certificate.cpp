#include "hindsight/offline/certificate.hpp"

#include <algorithm>

#include "hindsight/offline/linear_rows.hpp"

namespace hindsight {

PointCertificate::PointCertificate(DomainPtr domain)
    : domain_(std::move(domain)), upper_(upper_corner(*domain_)) {}

double PointCertificate::bound(const ContinuousFunction& function, PointView x) const {
  Point g(x.size()), w(x.size());
  function.gradient(x, g);
  for (std::size_t i = 0; i < g.size(); ++i)
    g[i] = upper_[i] > 0 ? std::max(0.0, g[i]) * std::max(0.0, 1 - x[i] / upper_[i]) : 0.0;
  domain_->maximize(g, w);
  return function.value(x) + dot(g, w);
}

double set_certificate(const Matroid& matroid, const SetValue& f, const ItemSet& set) {
  const auto d = static_cast<std::size_t>(matroid.dimension());
  const double value = f(set);
  Point gains(d, 0.0), w(d);
  ItemSet larger = set;
  for (Item i = 0; i < matroid.dimension(); ++i) {
    if (std::find(set.begin(), set.end(), i) != set.end()) continue;
    larger.push_back(i);
    gains[static_cast<std::size_t>(i)] = f(larger) - value;
    larger.pop_back();
  }
  matroid.maximize(gains, w);
  return value + dot(gains, w);
}

}  // namespace hindsight
