"""Writes trained weights as quantized ONNX: python3 export.py weights.pt. See README.md."""

import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from model import LAYERS, LINEAR, NORMS, TARGET, WEIGHTS, WIDTH

# Weights are in 7 bits (-64 to 64), as in the sentence model, because their sums of products overflow on no processor.
LARGEST = 64
SHARED = ('embeddings.word_embeddings.weight_quantized', 'embeddings.position_embeddings.weight_quantized')


def main(path):
    trained = {name: value.numpy() for name, value in torch.load(path).items()}
    model = onnx.load(str(WEIGHTS))
    graph = model.graph
    values = {one.name: one for one in graph.initializer}
    products = {one.name: one.input[1].removesuffix('_quantized') for one in graph.node if one.op_type == 'MatMulInteger'}

    def put(name, value):
        values[name].CopyFrom(numpy_helper.from_array(value, name))

    for number in range(LAYERS):
        for name, part in LINEAR.items():
            matrix = np.ascontiguousarray(trained[f'layers.{number}.{name}.weight'].T)
            scale = (np.abs(matrix).max(0) / LARGEST).astype(np.float32)
            product = products[f'/encoder/layer.{number}/{part}/MatMul_quant']
            put(f'{product}_quantized', np.round(matrix / scale).astype(np.int8))
            put(f'{product}_scale', scale)
            put(f'{product}_zero_point', np.zeros(len(scale), np.int8))
            put(f'encoder.layer.{number}.{part.replace("/", ".")}.bias', trained[f'layers.{number}.{name}.bias'])
        for name, part in NORMS.items():
            for kind in ('weight', 'bias'):
                put(f'encoder.layer.{number}.{part}.{kind}', trained[f'layers.{number}.{name}.{kind}'])
    for kind in ('weight', 'bias'):
        put(f'embeddings.LayerNorm.{kind}', trained[f'norm.{kind}'])
    put_kinds(trained['kinds.weight'], put)
    for name in SHARED:
        refer_to_file(values[name])
    add_scores(graph, trained)
    TARGET.write_bytes(model.SerializeToString())


def put_kinds(table, put):
    lowest, highest = min(table.min(), 0), max(table.max(), 0)
    scale = np.float32((highest - lowest) / 255)
    zero = np.uint8(round(-lowest / scale))
    name = 'embeddings.token_type_embeddings.weight'
    put(f'{name}_scale', np.array(scale))
    put(f'{name}_zero_point', np.array(zero))
    put(f'{name}_quantized', np.clip(np.round(table / scale) + zero, 0, 255).astype(np.uint8))


def refer_to_file(tensor):
    """Replaces the data of a tensor by a reference to the same bytes in the file of the sentence model."""
    data = tensor.raw_data
    place = WEIGHTS.read_bytes().find(data)
    tensor.ClearField('raw_data')
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {'location': WEIGHTS.name, 'offset': place, 'length': len(data)}.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)


def add_scores(graph, trained):
    """Adds the input `groups` (the means of tokens, as a matrix) and the output `answers` (the logarithm of the odds)."""
    constants = {
        'sentence.weight': trained['sentence.weight'].reshape(WIDTH, 1),
        'sentence.bias': trained['sentence.bias'],
        'none.weight': trained['none.weight'].reshape(WIDTH, 1),
        'none.bias': trained['none.bias'],
        'gain': trained['gain'].reshape(1),
        'zero': np.array([0]),
        'one': np.array([1]),
        'end': np.array([2**31 - 1]),
    }
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    node = helper.make_node
    graph.node.extend([
        node('MatMul', ['groups', 'last_hidden_state'], ['means']),
        node('LpNormalization', ['means'], ['units'], axis=-1, p=2),
        node('Slice', ['units', 'zero', 'one', 'one'], ['unit of question']),
        node('Slice', ['units', 'one', 'end', 'one'], ['units of sentences']),
        node('Mul', ['unit of question', 'units of sentences'], ['products']),
        node('ReduceSum', ['products'], ['cosines'], axes=[2], keepdims=1),
        node('Mul', ['cosines', 'gain'], ['similarities']),
        node('Slice', ['means', 'one', 'end', 'one'], ['sentences']),
        node('MatMul', ['sentences', 'sentence.weight'], ['sentence products']),
        node('Add', ['sentence products', 'sentence.bias'], ['sentence sums']),
        node('Add', ['sentence sums', 'similarities'], ['sentence scores']),
        node('Slice', ['last_hidden_state', 'zero', 'one', 'one'], ['first token']),
        node('MatMul', ['first token', 'none.weight'], ['none product']),
        node('Add', ['none product', 'none.bias'], ['none score']),
        node('Sub', ['sentence scores', 'none score'], ['odds']),
        node('Squeeze', ['odds'], ['answers'], axes=[2]),
    ])
    tensor = helper.make_tensor_value_info
    graph.input.append(tensor('groups', TensorProto.FLOAT, ['passages', 'groups', 'tokens']))
    del graph.output[:]
    graph.output.append(tensor('answers', TensorProto.FLOAT, ['passages', 'sentences']))


main(sys.argv[1])
