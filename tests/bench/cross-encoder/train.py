"""
Trains the cross-encoder on the passages of this folder: python3 train.py weights.pt. With 'further' or 'later' as the second
argument, continues with the weights of model.onnx on the passages of this folder of passages. See README.md.
"""

import math
import random
import sys
import time

import torch

from model import Base, CrossEncoder, batch_of, trained
from passages import trained_passages

BATCH = 16
WARM_UP = 0.06
# The share of the answered questions that are asked again without the sentences that answer.
WITHOUT_ANSWER = 0.25
# Epochs, the first rate, and the share of the questions that are asked again about another passage. The second stage makes the
# scores of several passages comparable.
STAGES = ((2, 1e-4, 0.15), (0.35, 4e-5, 0.8))
FURTHER_STAGES = ((1, 7e-5, 0.15), (0.25, 3e-5, 0.8))
# The folders of passages in the order of the trainings that continue the first one.
FURTHER_FOLDERS = ('further', 'later')
# The share of the examples of former trainings that are repeated, and the number of lower layers that do not change.
REPEATED = 0.1
FROZEN_LAYERS = 2
WITH_HEADING = 0.3
HEADINGS = (
    'Introduction;1 Introduction;Background;2 Related work;Methods;Materials and methods;2.1 Participants;Procedure;'
    '3 Results;Results;Main results;3.2 Secondary outcomes;Discussion;4 Discussion;5 Evaluation;6 Limitations;Limitations;'
    'Conclusion;7 Conclusions;Statistical analysis;Data;Study area;Setting;Measurements;Outcomes;Funding;Ethics;'
    'Interpretation;Table 2;Table 1. Values by group;Figure 3;Abstract;Keywords'
).split(';')


def examples_of(passages, other_share):
    examples = []
    for name, sentences, questions in passages:
        others = [other for subject, other, _ in passages if subject == name and other is not sentences]
        for question, answers in questions:
            examples.append((question, *with_heading(sentences, answers)))
            if answers and random.random() < WITHOUT_ANSWER:
                rest = [one for number, one in enumerate(sentences) if number not in answers]
                examples.append((question, rest, []))
            if random.random() < other_share:
                examples.append((question, random.choice(others), []))
    return examples


def with_heading(sentences, answers):
    if random.random() > WITH_HEADING:
        return sentences, answers
    place = random.choice([0, random.randrange(len(sentences) + 1)])
    heading = tokens_of(random.choice(HEADINGS))
    return [*sentences[:place], heading, *sentences[place:]], [one + (one >= place) for one in answers]


def length_of(example):
    return len(example[0]) + sum(map(len, example[1]))


def batches_of(examples):
    """Returns batches, each of examples of similar length, in random order."""
    random.shuffle(examples)
    batches = []
    for start in range(0, len(examples), BATCH * 8):
        block = sorted(examples[start : start + BATCH * 8], key=length_of)
        batches += [block[at : at + BATCH] for at in range(0, len(block), BATCH)]
    random.shuffle(batches)
    return batches


def train(model, passages, repeated, epochs, rate, other_share):
    trained = [one for one in model.parameters() if one.requires_grad]
    matrices = [one for one in trained if one.ndim > 1]
    vectors = [one for one in trained if one.ndim < 2]
    groups = [{'params': matrices}, {'params': vectors, 'weight_decay': 0}]
    optimizer = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)
    batches = []
    for _ in range(math.ceil(epochs)):
        former = examples_of(repeated, other_share)
        examples = examples_of(passages, other_share) + random.sample(former, round(len(former) * REPEATED))
        batches += batches_of(examples)
    steps = round(len(batches) * epochs / math.ceil(epochs))
    began = time.time()
    for step, batch in enumerate(batches[:steps]):
        for group in optimizer.param_groups:
            group['lr'] = rate * min(1, (step + 1) / (WARM_UP * steps)) * max(0.02, 1 - step / steps)
        packed = batch_of(batch)
        with torch.autocast('cpu', dtype=torch.bfloat16):
            scores = model(packed)
        logs = torch.log_softmax(scores.float(), 1)
        loss = -torch.logsumexp(logs.masked_fill(packed['wanted'] == 0, -1e4), 1).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1)
        optimizer.step()
        if step % 100 == 0:
            print(f'{step} of {steps}: loss {loss.item():.3f}, {time.time() - began:.0f} s', flush=True)


def main(path, folder=None):
    random.seed(1)
    torch.manual_seed(1)
    model = trained() if folder else CrossEncoder(Base())
    repeated = []
    passages = trained_passages('.')
    if folder:
        for layer in (model.norm, model.kinds, *model.layers[:FROZEN_LAYERS]):
            layer.requires_grad_(False)
        former = FURTHER_FOLDERS[: FURTHER_FOLDERS.index(folder)]
        repeated = passages + [one for name in former for one in trained_passages(name)]
        passages = trained_passages(folder)
    for stage in FURTHER_STAGES if folder else STAGES:
        train(model, passages, repeated, *stage)
    torch.save(model.state_dict(), path)


main(*sys.argv[1:])
