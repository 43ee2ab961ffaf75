"""Models of random weights, made here. With the dummy weights of vLLM a wrong cache would hardly change the output."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

#: By name: hidden size, feed-forward size, layers, heads, key-value heads.
SIZES = {"tiny": (256, 512, 4, 4, 2), "slow": (1024, 2816, 12, 16, 8)}
VOCABULARY = 4096
HEAD = 64

#: Tokens that layers with a window see.
WINDOW = 256

#: The side of an image of the model that sees, in pixels; its tokens in a prompt; the token that stands for it.
IMAGE, IMAGE_TOKENS, IMAGE_TOKEN = 224, 256, VOCABULARY - 1


def make(folder: pathlib.Path, size: str = "tiny", seed: int = 1) -> pathlib.Path:
    """Writes a Llama with weights of a normal distribution, unless it is there."""
    import torch
    from safetensors.torch import save_file

    if (folder / "model.safetensors").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    hidden, feed, layers, heads, kv_heads = SIZES[size]
    config: dict[str, Any] = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": hidden,
        "intermediate_size": feed,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": HEAD,
        "vocab_size": VOCABULARY,
        "max_position_embeddings": 8192,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "hidden_act": "silu",
        "torch_dtype": "float32",
        "tie_word_embeddings": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    generator = torch.Generator().manual_seed(seed)
    scale = 0.08 * (256 / hidden) ** 0.5

    def normal(*shape: int) -> Any:
        return torch.randn(*shape, generator=generator) * scale

    weights = {
        "model.embed_tokens.weight": normal(VOCABULARY, hidden) * 12,
        "lm_head.weight": normal(VOCABULARY, hidden),
        "model.norm.weight": torch.ones(hidden),
    }
    for i in range(layers):
        layer = f"model.layers.{i}."
        weights |= {
            layer + "self_attn.q_proj.weight": normal(heads * HEAD, hidden),
            layer + "self_attn.k_proj.weight": normal(kv_heads * HEAD, hidden),
            layer + "self_attn.v_proj.weight": normal(kv_heads * HEAD, hidden),
            layer + "self_attn.o_proj.weight": normal(hidden, heads * HEAD),
            layer + "mlp.gate_proj.weight": normal(feed, hidden),
            layer + "mlp.up_proj.weight": normal(feed, hidden),
            layer + "mlp.down_proj.weight": normal(hidden, feed),
            layer + "input_layernorm.weight": torch.ones(hidden),
            layer + "post_attention_layernorm.weight": torch.ones(hidden),
        }
    save_file(weights, folder / "model.safetensors.part")
    (folder / "model.safetensors.part").rename(folder / "model.safetensors")
    return folder


def make_seeing(folder: pathlib.Path) -> pathlib.Path:
    """Writes a LLaVA with random weights, and with processors of images and text: its words are numbers."""
    import torch
    import transformers as hf
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models

    hidden, feed, layers, heads, kv_heads = SIZES["tiny"]
    words = {"<unk>": 0, "<s>": 1, "</s>": 2, "<image>": IMAGE_TOKEN, **{str(i): i for i in range(3, IMAGE_TOKEN)}}
    text = hf.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(words, unk_token="<unk>")),
        unk_token="<unk>",
        bos_token="<s>",
        eos_token="</s>",
        additional_special_tokens=["<image>"],
    )
    square = {"height": IMAGE, "width": IMAGE}
    images = hf.CLIPImageProcessor(size={"shortest_edge": IMAGE}, crop_size=square)
    hf.LlavaProcessor(
        image_processor=images,
        tokenizer=text,
        patch_size=14,
        vision_feature_select_strategy="default",
        image_token="<image>",
        num_additional_image_tokens=1,
    ).save_pretrained(folder)
    config = hf.LlavaConfig(
        vision_config=hf.CLIPVisionConfig(
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=3,
            num_attention_heads=2,
            image_size=IMAGE,
            patch_size=14,
        ),
        text_config=hf.LlamaConfig(
            hidden_size=hidden,
            intermediate_size=feed,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            num_key_value_heads=kv_heads,
            head_dim=HEAD,
            vocab_size=VOCABULARY,
            max_position_embeddings=8192,
        ),
        image_token_index=IMAGE_TOKEN,
    )
    torch.manual_seed(1)
    _randomly(hf.LlavaForConditionalGeneration(config), 0.08).save_pretrained(folder)
    # vLLM knows the names that checkpoints of LLaVA have, which newer versions of transformers do not write any more.
    whole = {_old(name): weight.contiguous() for name, weight in _saved(folder).items()}
    save_file(whole, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def make_latent(folder: pathlib.Path) -> pathlib.Path:
    """Writes a DeepSeek-V2 with random weights: multi-head latent attention (MLA), and experts."""
    import torch
    import transformers as hf

    hidden, feed, layers, heads, _ = SIZES["tiny"]
    config = hf.DeepseekV2Config(
        hidden_size=hidden,
        intermediate_size=feed,
        moe_intermediate_size=128,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        kv_lora_rank=512,
        q_lora_rank=None,
        qk_rope_head_dim=HEAD,
        qk_nope_head_dim=128,
        v_head_dim=128,
        n_routed_experts=8,
        n_shared_experts=1,
        num_experts_per_tok=2,
        first_k_dense_replace=layers,
        vocab_size=VOCABULARY,
        max_position_embeddings=8192,
    )
    torch.manual_seed(1)
    # Larger weights would let the rounding of vLLM's MLA on CPUs decide the output.
    _randomly(hf.DeepseekV2ForCausalLM(config), 0.02).save_pretrained(folder)
    return folder


def make_windowed(folder: pathlib.Path) -> pathlib.Path:
    """Writes a Gemma 3 with random weights: a layer of full attention among layers with a window of 256 tokens."""
    import pytest
    import torch
    import transformers as hf

    from kvstore_vllm import compat

    if not compat.has_exact_tables():
        pytest.skip("missing: vLLM 0.32 or newer")
    hidden, feed, layers, heads, kv_heads = SIZES["tiny"]
    config = hf.Gemma3TextConfig(
        hidden_size=hidden,
        intermediate_size=feed,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=HEAD,
        query_pre_attn_scalar=HEAD,
        layer_types=["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"],
        sliding_window=WINDOW,
        vocab_size=VOCABULARY,
        max_position_embeddings=8192,
    )
    torch.manual_seed(1)
    model = _randomly(hf.Gemma3ForCausalLM(config), 0.08)
    with torch.no_grad():  # or each token would say itself again, whatever is before it
        model.model.embed_tokens.weight.div_(160)
        model.model.norm.weight.fill_(24)
    model.save_pretrained(folder)
    return folder


def _randomly(model: Any, scale: float) -> Any:
    """Gives a model weights of which the output depends on all."""
    import torch

    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.normal_(0, scale * (12 if "embed_tokens" in name or "linear_2" in name else 1))
    return model


def _saved(folder: pathlib.Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(folder / "model.safetensors"))


def _old(name: str) -> str:
    inner = "vision_tower.vision_model."
    return name if name.startswith(inner) else name.replace("vision_tower.", inner)


def make_adapter(folder: pathlib.Path, seed: int, size: str = "tiny") -> pathlib.Path:
    """Writes a LoRA adapter of rank 8 with random weights, which changes queries and values of each layer."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    hidden, _, layers, heads, kv_heads = SIZES[size]
    config = {
        "peft_type": "LORA",
        "r": 8,
        "lora_alpha": 16,
        "target_modules": ["q_proj", "v_proj"],
        "bias": "none",
        "base_model_name_or_path": "tiny",
    }
    (folder / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    generator = torch.Generator().manual_seed(seed)
    weights = {}
    for i in range(layers):
        for name, width in (("q_proj", heads * HEAD), ("v_proj", kv_heads * HEAD)):
            one = f"base_model.model.model.layers.{i}.self_attn.{name}."
            weights[one + "lora_A.weight"] = torch.randn(8, hidden, generator=generator) * 0.1
            weights[one + "lora_B.weight"] = torch.randn(width, 8, generator=generator) * 0.1
    save_file(weights, folder / "adapter_model.safetensors")
    return folder


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "tiny")
