#!/usr/bin/env python3
"""Golden values of the vision transformers, from torchvision: python make_transformers.py [FOLDER]. The rules are those of make_models.py. Torchvision's
ViT takes square pictures alone; Swin's are such that its windows are padded, moved both ways, moved one way, and larger than the picture."""
import pathlib
import sys

import torch
from torchvision.models.swin_transformer import SwinTransformer
from torchvision.models.vision_transformer import VisionTransformer

from make_models import CLASSES, write


def vit(width, heads):
    return lambda: VisionTransformer(image_size=64, patch_size=16, num_layers=12, num_heads=heads, hidden_dim=width, mlp_dim=4 * width, num_classes=CLASSES)


def swin():
    """torchvision's swin_t without stochastic depth."""
    return SwinTransformer(patch_size=[4, 4], embed_dim=96, depths=[2, 2, 6, 2], num_heads=[3, 6, 12, 24], window_size=[7, 7], stochastic_depth_prob=0.0,
                           num_classes=CLASSES)


def main():
    torch.set_num_threads(1)
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent / 'models'
    write(folder, 'transformers', {'vit_tiny': vit(192, 3), 'vit_small': vit(384, 6), 'vit_base': vit(768, 12), 'swin_t': swin}, ['vit_tiny', 'swin_t'],
          lambda arch: (4, 3, 64, 48 if arch == 'swin_t' else 64))


main()
