"""Recipes that teach a model to answer or to decline: SFT, then GRPO on Candor's reward. See docs/guides/training.md."""
