"""A Hungarian loss in PyTorch: a network learns to predict a set, and konig says which prediction is which.

    pip install torch
    python examples/gallery/hungarian_loss.py [PICTURE]

Images show some blobs, and the network names their centres. The targets of an image are a set: they have no
order. So predictions are assigned to targets at least cost, a batch of images in one call, and the loss is
the distance of the assigned pairs. A loss that compares the k-th prediction with the k-th target teaches the
mean of all.
"""

import sys

import matplotlib.pyplot as plt

import konig

try:
    import torch
except ImportError:
    sys.exit("this example needs PyTorch: pip install torch")

BLOBS, SIDE, BATCH, STEPS = 4, 20, 128, 600


def batch():
    """Images of blobs (B, SIDE * SIDE), and the centres in them (B, BLOBS, 2), in random order."""
    centres = torch.rand(BATCH, BLOBS, 2)
    axis = torch.linspace(0, 1, SIDE)
    y, x = (torch.exp(-((axis - centres[..., k, None]) ** 2) / 0.004) for k in (1, 0))
    return torch.einsum("bky,bkx->byx", y, x).flatten(1), centres


def network():
    linear, act = torch.nn.Linear, torch.nn.ReLU
    hidden = linear(SIDE * SIDE, 256), act(), linear(256, 256), act()
    centres = linear(256, 2 * BLOBS), torch.nn.Sigmoid(), torch.nn.Unflatten(1, (BLOBS, 2))
    return torch.nn.Sequential(*hidden, *centres)


def distances(predicted, centres):
    return (predicted[:, :, None] - centres[:, None]).norm(dim=3)  # (B, BLOBS, BLOBS)


def hungarian_loss(predicted, centres):
    cost = distances(predicted, centres)
    a = konig.linear_assignment(cost.detach())  # one call for the batch; tensors come back
    each = torch.arange(len(cost))[:, None]
    return cost[each, a.row_ind, a.col_ind].mean()


def ordered_loss(predicted, centres):
    return distances(predicted, centres).diagonal(dim1=1, dim2=2).mean()


def train(loss):
    """The network, and how far from the centres its predictions were after each step."""
    torch.manual_seed(0)
    model = network()
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    error = []
    for _ in range(STEPS):
        images, centres = batch()
        predicted = model(images)
        optimiser.zero_grad()
        loss(predicted, centres).backward()
        optimiser.step()
        error.append(hungarian_loss(predicted.detach(), centres).item())
    return model, error


def draw(runs, picture):
    fig, axes = plt.subplot_mosaic("LLab;LLcd", figsize=(10, 4.6), layout="constrained")
    curves = axes["L"]
    for (name, (_, error)), colour in zip(runs.items(), ("0.55", "tab:orange"), strict=True):
        curves.plot(error, color=colour, lw=2)
        curves.text(STEPS, error[-1] + 0.03, name, color=colour, ha="right")
    curves.set(xlabel="step", ylabel="mean distance to the assigned centre", ylim=(0, None), xlim=(0, STEPS))
    curves.spines[["top", "right"]].set_visible(False)
    images, centres = batch()
    (_, (ordered, _)), (_, (model, _)) = runs.items()
    for k, ax in enumerate(axes[name] for name in "abcd"):
        ax.imshow(images[k].reshape(SIDE, SIDE).numpy(), cmap="Blues", extent=(0, 1, 1, 0))
        ax.plot(*centres[k].T.numpy(), "k+", ms=9, label="centres")
        for trained, colour in ((ordered, "0.55"), (model, "tab:orange")):
            ax.plot(*trained(images)[k].detach().T.numpy(), "o", mfc="none", mec=colour, ms=9, mew=2)
        ax.set(xticks=[], yticks=[])
    fig.savefig(picture, dpi=100)


def main(picture="hungarian_loss.png"):
    torch.set_num_threads(1)  # all of this is small
    runs = {"targets in the order given": train(ordered_loss), "Hungarian loss": train(hungarian_loss)}
    for name, (_, error) in runs.items():
        print(f"{name}: {error[0]:.3f} at first, {error[-1]:.3f} after {STEPS} steps")
    draw(runs, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
