#include "hindsight/learners/vertex_sampler.hpp"

#include "hindsight/learners/mixture_sampler.hpp"
#include "hindsight/learners/nested_sampler.hpp"

namespace hindsight {

std::unique_ptr<VertexSampler> make_vertex_sampler(const MatroidPtr& matroid) {
  if (auto nested = std::dynamic_pointer_cast<const LaminarMatroid>(matroid))
    return std::make_unique<NestedSampler>(std::move(nested));
  return std::make_unique<MixtureSampler>(matroid);
}

}  // namespace hindsight
