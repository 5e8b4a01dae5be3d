"""Reads the passages with questions on which the cross-encoder is trained and measured."""

import re

from model import PASSAGES, tokens_of

# The folder whose last passages of each file are only measured, and their number.
MEASURED_FOLDER = 'later'
MEASURED = 20


def trained_passages(name):
    """
    Returns the passages of a folder of PASSAGES without those that are only measured: for each its file, its sentences, and its
    questions with the indexes from 0 of answering sentences.
    """
    paths = sorted((PASSAGES / name).glob('*.txt'))
    return [one for path in paths for one in (read_file(path)[:-MEASURED] if name == MEASURED_FOLDER else read_file(path))]


def measured_passages():
    """Returns the passages that were never trained on, like `trained_passages`."""
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
    """Removes the semicolons between the cells of a table row, because the text of a PDF has none."""
    return line.replace(';', ' ') if line.count(';') > 1 and not line.endswith('.') else line
