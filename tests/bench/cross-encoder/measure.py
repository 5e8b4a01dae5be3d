"""
Measures the weights of model.onnx, before their quantization, on the passages that were never trained on: python3 measure.py. See
README.md.
"""

import torch

from model import batch_of, trained
from passages import measured_passages

BATCH = 32
# Shares of the answered questions that may be refused.
FALSE_REFUSALS = (0.02, 0.05)


def main():
    items = [(question, sentences, numbers) for _, sentences, questions in measured_passages() for question, numbers in questions]
    model = trained().eval()
    answered, unanswered, is_first = [], [], 0
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16):
            scores = model(batch_of(batch)).float()
        for (_, _, numbers), row in zip(batch, scores):
            score = (row[1:].max() - row[0]).item()
            (answered if numbers else unanswered).append(score)
            is_first += row[1:].argmax().item() in numbers
    answered.sort()
    for share in FALSE_REFUSALS:
        limit = answered[int(len(answered) * share)]
        refused = sum(score < limit for score in unanswered) / len(unanswered)
        print(f'{refused:.3f} refused at {share} false refusals')
    print(f'{is_first / len(answered):.3f} have an answering sentence first')


main()
