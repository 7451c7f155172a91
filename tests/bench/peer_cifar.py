"""CIFAR-size pictures in memory -> RandomCrop(32, padding 4) + flip + normalise -> batches; print one JSON line."""
import argparse, json, time
import numpy as np
import torch
from PIL import Image
from torchvision import transforms as T

a = argparse.ArgumentParser()
a.add_argument('--workers', type=int, default=2); a.add_argument('--batch', type=int, default=128); a.add_argument('--samples', type=int, default=50000)
a = a.parse_args()
torch.set_num_threads(1)


class Cifar(torch.utils.data.Dataset):
    """As torchvision.datasets.CIFAR10 gives its samples, with noise for pictures."""

    def __init__(self, transform):
        self.data = np.random.default_rng(1).integers(0, 256, (a.samples, 32, 32, 3), dtype=np.uint8)
        self.targets = [i % 10 for i in range(a.samples)]
        self.transform = transform

    def __len__(self): return len(self.data)
    def __getitem__(self, index): return self.transform(Image.fromarray(self.data[index])), self.targets[index]


normalise = T.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
data = Cifar(T.Compose([T.RandomCrop(32, padding=4), T.RandomHorizontalFlip(), T.ToTensor(), normalise]))
loader = torch.utils.data.DataLoader(data, batch_size=a.batch, shuffle=True, num_workers=a.workers, persistent_workers=a.workers > 0)
for epoch in range(2):                                                  # the first epoch warms the workers
    t, n = time.perf_counter(), 0
    for x, _ in loader: n += len(x)
    dt = time.perf_counter() - t
print(json.dumps(dict(way='pil', workload='cifar', workers=a.workers, images_per_s=n / dt)))
