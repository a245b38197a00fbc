"""Writes the tiny GGUF as a folder that vLLM, mlx-lm and transformers load: the same weights, tokens and template.
usage: tiny_to_hf.py tiny.gguf FOLDER        needs: gguf numpy safetensors
"""
import json, pathlib, sys
import gguf, numpy
from safetensors.numpy import save_file

source, target = sys.argv[1], pathlib.Path(sys.argv[2])
reader = gguf.GGUFReader(source)
read = lambda name: reader.fields[name].contents()
tensors = {tensor.name: numpy.array(tensor.data) for tensor in reader.tensors}
heads, width = read("llama.attention.head_count"), read("llama.embedding_length")
layers, tokens, kinds = read("llama.block_count"), read("tokenizer.ggml.tokens"), read("tokenizer.ggml.token_type")

# llama.cpp turns neighboring numbers of a head together, transformers the first half with the second.
apart = lambda matrix: matrix.reshape(heads, width // heads // 2, 2, -1).swapaxes(1, 2).reshape(matrix.shape)
NAMES = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
         "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"}
weights = {"model.embed_tokens.weight": tensors["token_embd.weight"], "model.norm.weight": tensors["output_norm.weight"]}
for layer in range(layers):
    for short, long in NAMES.items():
        matrix = tensors[f"blk.{layer}.{short}.weight"]
        weights[f"model.layers.{layer}.{long}.weight"] = apart(matrix) if short in ("attn_q", "attn_k") else matrix
target.mkdir(parents=True, exist_ok=True)
save_file({name: numpy.ascontiguousarray(matrix, dtype=numpy.float32) for name, matrix in weights.items()}, target / "model.safetensors", metadata={"format": "pt"})

write = lambda name, value: (target / name).write_text(json.dumps(value, ensure_ascii=False, indent=1))
bos, eos = read("tokenizer.ggml.bos_token_id"), read("tokenizer.ggml.eos_token_id")
write("config.json", {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "float32", "dtype": "float32", "hidden_act": "silu", "tie_word_embeddings": True,
    "hidden_size": width, "intermediate_size": read("llama.feed_forward_length"), "num_hidden_layers": layers, "num_attention_heads": heads,
    "num_key_value_heads": heads, "head_dim": width // heads, "max_position_embeddings": read("llama.context_length"), "vocab_size": len(tokens),
    "rms_norm_eps": read("llama.attention.layer_norm_rms_epsilon"), "rope_theta": read("llama.rope.freq_base"), "bos_token_id": bos, "eos_token_id": eos})
write("generation_config.json", {"bos_token_id": bos, "eos_token_id": eos})
added = [{"id": index, "content": token, "special": kinds[index] == 3, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
         for index, token in enumerate(tokens) if kinds[index] != 1]
level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
write("tokenizer.json", {
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None, "pre_tokenizer": level, "post_processor": None, "decoder": level,
    "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": False, "byte_fallback": False,
              "vocab": {token: index for index, token in enumerate(tokens) if kinds[index] == 1}, "merges": read("tokenizer.ggml.merges")}})
write("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": tokens[bos], "eos_token": tokens[eos], "pad_token": tokens[bos],
    "model_max_length": read("llama.context_length"), "clean_up_tokenization_spaces": False, "chat_template": read("tokenizer.chat_template"),
    "added_tokens_decoder": {str(token["id"]): {key: value for key, value in token.items() if key != "id"} for token in added}})
(target / "chat_template.jinja").write_text(read("tokenizer.chat_template"))
