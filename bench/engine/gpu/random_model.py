"""Writes a GGUF of a given size with random Q4_K weights and the tokenizer of another file: for speed only, its words mean nothing.

Weights have a mean of zero and keep activations near one, so that nothing overflows (with all positive weights, a GPU computes NaN).
The output is scaled so that logits spread like those of a trained model: a few hundred tokens are above a millionth of the likeliest.

usage: random_model.py tokenizer.gguf out.gguf layers width ffn heads kv_heads
"""
import sys, numpy as np
from gguf import GGUFReader, GGUFWriter, GGMLQuantizationType as Q, GGUFValueType as T

src, out, layers, width, ffn, heads, kv = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:8])
LOGIT_SPREAD = 4.5
reader = GGUFReader(src)
writer = GGUFWriter(out, 'llama')
rng = np.random.default_rng(1)
for field in reader.fields.values():
    if not field.name.startswith('tokenizer.'):
        continue
    kind = field.types[0]
    if kind == T.ARRAY:
        writer.add_array(field.name, field.contents())
    else:
        writer.add_key_value(field.name, field.contents(), kind)
vocab = len(reader.fields['tokenizer.ggml.tokens'].data)
writer.add_context_length(8192); writer.add_embedding_length(width); writer.add_block_count(layers)
writer.add_feed_forward_length(ffn); writer.add_head_count(heads); writer.add_head_count_kv(kv)
writer.add_layer_norm_rms_eps(1e-5); writer.add_rope_dimension_count(width // heads); writer.add_rope_freq_base(500000.0)
writer.add_vocab_size(vocab); writer.add_file_type(15); writer.add_name('random')

def q4k(rows, cols, spread):
    """A weight is d * scale * q - dmin * min, with scale and min from 0 to 63 and q from 0 to 15, all random: dmin = 7.5 d makes the mean 0,
    and the standard deviation is then about 253 d."""
    blocks = rows * cols // 256
    raw = rng.integers(0, 256, (blocks, 144), dtype=np.uint8)
    d = spread / 253
    raw[:, 0:4] = np.array([d, 7.5 * d], dtype=np.float16).view(np.uint8)
    return raw.reshape(rows, cols // 256 * 144)

def add(name, rows, cols, spread=None):
    writer.add_tensor(name, q4k(rows, cols, spread if spread is not None else cols ** -0.5), raw_dtype=Q.Q4_K)

def ones(name):
    writer.add_tensor(name, np.ones(width, dtype=np.float32))

hd = width // heads
add('token_embd.weight', vocab, width, 1.0); ones('output_norm.weight'); add('output.weight', vocab, width, LOGIT_SPREAD * width ** -0.5)
for i in range(layers):
    b = f'blk.{i}.'
    ones(b + 'attn_norm.weight'); ones(b + 'ffn_norm.weight')
    add(b + 'attn_q.weight', width, width); add(b + 'attn_k.weight', kv * hd, width); add(b + 'attn_v.weight', kv * hd, width)
    add(b + 'attn_output.weight', width, width)
    add(b + 'ffn_gate.weight', ffn, width); add(b + 'ffn_up.weight', ffn, width); add(b + 'ffn_down.weight', width, ffn)
writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close()
