#include "land/engine/sample_view.h"

#include <utility>

namespace land {

SampleView::SampleView(Engine& whole, std::shared_ptr<const SampleNumbers> samples)
    : whole_(whole), cut_(whole.samples(), std::move(samples), false) {}

Shape SampleView::shape() const {
  Shape shape = whole_.shape();
  shape.samples = cut_.samples();
  return shape;
}

void SampleView::score(std::span<const ScoreJob> jobs, const TakeScores& take) {
  std::vector<ScoreJob> of_whole(jobs.begin(), jobs.end());
  for (ScoreJob& job : of_whole) {
    check_job(job, *this);
    if (job.subset == nullptr) {
      job.subset = cut_.numbers();
      continue;
    }
    auto subset = std::make_shared<SampleNumbers>(*job.subset);
    for (std::int64_t& sample : *subset) sample = (*cut_.numbers())[static_cast<std::size_t>(sample)];
    job.subset = std::move(subset);
  }
  whole_.score(of_whole, take);
}

std::vector<std::shared_ptr<const FeatureBlock>> SampleView::fetch(std::span<const FeatureId> ids) {
  std::vector<std::shared_ptr<const FeatureBlock>> blocks = whole_.fetch(ids);
  for (auto& block : blocks) {
    auto cut = std::make_shared<FeatureBlock>();
    cut->clear(cut_.samples());
    cut_.append(block->view(0), block->headers.front().id, *cut);
    block = std::move(cut);
  }
  return blocks;
}

void SampleView::visit(std::span<const FeatureId> ids, const Look& look) {
  whole_.visit(ids, [&](std::size_t position, const FeatureView& feature) {
    FeatureBlock cut;
    cut.clear(cut_.samples());
    cut_.append(feature, feature.header->id, cut);
    look(position, cut.view(0));
  });
}

}  // namespace land
