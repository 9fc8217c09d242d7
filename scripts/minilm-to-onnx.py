"""
Writes the all-MiniLM-L6-v2 weights of a folder in Hugging Face form as an ONNX model: minilm-to-onnx.py FROM TO.

Only numpy, onnx, safetensors and tokenizers are needed, no PyTorch. The graph is BERT as published (Devlin et al.,
2018, arXiv:1810.04805), last hidden states out; pooling is left to who runs it. Beside the model it writes
`check.json`: sentences and their embeddings by a forward pass in numpy (float64) and the tokenizer in Rust, which
share nothing with the code that is checked against them.
"""

import json
import math
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

COPIED = ["tokenizer.json", "config.json", "tokenizer_config.json", "sentence_bert_config.json", "modules.json"]
SENTENCES = [
    "How many orders were placed in 2024?",
    "customer_name",
    "Total revenue by region, highest first",
    "the name of the buyer",
    "a",
    "Müller & Söhne, Zürich (CH) – 3½ % off!",
    "東京都の売上",
    "naïve café 😀",
    "SELECT COUNT(*) FROM t WHERE a >= 1.5e-3",
    "unaffable antidisestablishmentarianism",
    "word " * 400,
]


class Graph:
    """Nodes and weights of a model, in the order they are made; every method returns the name of its output."""

    def __init__(self):
        self.nodes = []
        self.weights = []

    def op(self, kind, *inputs, **attributes):
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def weight(self, values, kind=np.float32):
        name = f"weight_{len(self.weights)}"
        array = np.ascontiguousarray(values, dtype=kind)
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def ints(self, *values):
        return self.weight(values, np.int64)

    def dense(self, inputs, weights, name):
        product = self.op("MatMul", inputs, self.weight(weights[f"{name}.weight"].T))
        return self.op("Add", product, self.weight(weights[f"{name}.bias"]))

    def normalised(self, inputs, weights, name, epsilon):
        scale, bias = self.weight(weights[f"{name}.weight"]), self.weight(weights[f"{name}.bias"])
        return self.op("LayerNormalization", inputs, scale, bias, axis=-1, epsilon=epsilon)


def build(weights, config):
    graph = Graph()
    heads, hidden = config["num_attention_heads"], config["hidden_size"]
    size, epsilon = hidden // heads, config["layer_norm_eps"]

    words = graph.op("Gather", graph.weight(weights["embeddings.word_embeddings.weight"]), "input_ids")
    types = graph.op("Gather", graph.weight(weights["embeddings.token_type_embeddings.weight"]), "token_type_ids")
    length = graph.op("Gather", graph.op("Shape", "input_ids"), graph.ints(1))
    positions = graph.weight(weights["embeddings.position_embeddings.weight"])
    positions = graph.op("Slice", positions, graph.ints(0), length, graph.ints(0))
    state = graph.op("Add", graph.op("Add", words, types), positions)
    state = graph.normalised(state, weights, "embeddings.LayerNorm", epsilon)

    mask = graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    missing = graph.op("Sub", graph.weight(1.0), mask)
    penalty = graph.op("Mul", missing, graph.weight(-1e9))
    penalty = graph.op("Unsqueeze", penalty, graph.ints(1, 2))

    def split(state, name):
        parts = graph.op("Reshape", graph.dense(state, weights, name), graph.ints(0, 0, heads, size))
        return graph.op("Transpose", parts, perm=[0, 2, 1, 3])

    for layer in range(config["num_hidden_layers"]):
        own = f"encoder.layer.{layer}"
        query, key, value = (split(state, f"{own}.attention.self.{part}") for part in ("query", "key", "value"))
        scores = graph.op("MatMul", query, graph.op("Transpose", key, perm=[0, 1, 3, 2]))
        scores = graph.op("Add", graph.op("Mul", scores, graph.weight(1 / math.sqrt(size))), penalty)
        mixed = graph.op("MatMul", graph.op("Softmax", scores, axis=-1), value)
        mixed = graph.op("Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), graph.ints(0, 0, hidden))
        mixed = graph.op("Add", graph.dense(mixed, weights, f"{own}.attention.output.dense"), state)
        state = graph.normalised(mixed, weights, f"{own}.attention.output.LayerNorm", epsilon)
        inner = graph.dense(state, weights, f"{own}.intermediate.dense")
        tail = graph.op("Erf", graph.op("Mul", inner, graph.weight(1 / math.sqrt(2))))
        gelu = graph.op("Mul", graph.op("Mul", inner, graph.weight(0.5)), graph.op("Add", tail, graph.weight(1.0)))
        outer = graph.op("Add", graph.dense(gelu, weights, f"{own}.output.dense"), state)
        state = graph.normalised(outer, weights, f"{own}.output.LayerNorm", epsilon)
    graph.nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))

    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", hidden])
    made = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, [output], graph.weights)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def forward(weights, config, ids):
    """The embedding of one text without padding, in float64."""
    heads, hidden = config["num_attention_heads"], config["hidden_size"]
    size, epsilon = hidden // heads, config["layer_norm_eps"]
    erf = np.vectorize(math.erf)

    def dense(state, name):
        return state @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]

    def normalised(state, name):
        centred = state - state.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
        return centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    state = weights["embeddings.word_embeddings.weight"][ids].astype(np.float64)
    state = state + weights["embeddings.token_type_embeddings.weight"][0]
    state = state + weights["embeddings.position_embeddings.weight"][: len(ids)]
    state = normalised(state, "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        own = f"encoder.layer.{layer}"
        query, key, value = (
            dense(state, f"{own}.attention.self.{part}").reshape(len(ids), heads, size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(size)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = (shares @ value).transpose(1, 0, 2).reshape(len(ids), hidden)
        attended = normalised(dense(mixed, f"{own}.attention.output.dense") + state, f"{own}.attention.output.LayerNorm")
        inner = dense(attended, f"{own}.intermediate.dense")
        gelu = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        state = normalised(dense(gelu, f"{own}.output.dense") + attended, f"{own}.output.LayerNorm")
    pooled = state.mean(0)
    return pooled / np.linalg.norm(pooled)


def main(source, target):
    config = json.loads((source / "config.json").read_text())
    if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
        raise SystemExit(f"{source}/config.json: a BERT model with gelu is expected")
    weights = load_file(source / "model.safetensors")
    (target / "1_Pooling").mkdir(parents=True)
    onnx.save(build(weights, config), target / "model.onnx")
    for name in COPIED:
        shutil.copyfile(source / name, target / name)
    shutil.copyfile(source / "1_Pooling" / "config.json", target / "1_Pooling" / "config.json")

    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(json.loads((source / "sentence_bert_config.json").read_text())["max_seq_length"])
    check = [
        {"text": text, "vector": [round(value, 9) for value in forward(weights, config, tokenizer.encode(text).ids)]}
        for text in SENTENCES
    ]
    (target / "check.json").write_text(json.dumps(check) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
