"""Reads the passages with questions on which the cross-encoder is trained and measured."""

import random
import re

from model import PASSAGES, tokens_of

# The share of the table rows that are read without the semicolons between their cells, as in the text of a PDF.
WITHOUT_SEMICOLONS = 0.7
# The folder whose last passages of each file are only measured, and their number.
MEASURED_FOLDER = 'later'
MEASURED = 20


def read_passages(folder):
    """Returns for each passage of a folder its file, its sentences, and its questions with the indexes from 0 of answering sentences."""
    return [one for path in sorted(folder.glob('*.txt')) for one in read_file(path)]


def trained_passages(name):
    """Returns the passages of a folder of passages without those that are only measured."""
    paths = sorted((PASSAGES / name).glob('*.txt'))
    return [one for path in paths for one in (read_file(path)[:-MEASURED] if name == MEASURED_FOLDER else read_file(path))]


def measured_passages():
    """Returns the passages that were never trained on."""
    return [one for path in sorted((PASSAGES / MEASURED_FOLDER).glob('*.txt')) for one in read_file(path)[-MEASURED:]]


def read_file(path):
    passages = []
    for block in re.split(r'\n\s*\n', path.read_text(encoding='utf8').strip()):
        lines = [line.strip() for line in block.split('\n')[1:]]
        sentences = [tokens_of(as_in_pdf(line)) for line in lines if not re.match(r'[+-] ', line)]
        questions = []
        for line in lines:
            without = re.match(r'- (.+)', line)
            answered = re.match(r'\+ ([\d, ]+)\| (.+)', line)
            if without:
                questions.append((tokens_of(without[1]), []))
            if answered:
                numbers = [int(number) - 1 for number in re.findall(r'\d+', answered[1])]
                questions.append((tokens_of(answered[2]), numbers))
        passages.append((path.name, sentences, questions))
    return passages


def as_in_pdf(line):
    is_row = line.count(';') > 1 and not line.endswith('.')
    return line.replace(';', ' ') if is_row and random.random() < WITHOUT_SEMICOLONS else line
