"""The operations, in forward order."""

# isort: off  (the order is the forward pass, and is meant to be read)
from derive.ops.given import Given  # numbers from the model file
from derive.ops.embedding import Embedding  # tokens -> rows of the embedding table
from derive.ops.rms import RootMeanSquare  # the size of a row
from derive.ops.rmsnorm import RMSNorm  # rows divided by their size
from derive.ops.projection import Projection  # rows times weights, plus bias
from derive.ops.rope import Rope  # queries and keys turned by their position
from derive.ops.scores import Scores  # queries · keys
from derive.ops.scale import Scale  # scores / √d_k
from derive.ops.mask import CausalMask, MaskedScores  # who may look at whom
from derive.ops.exponentials import Exponentials  # e^score
from derive.ops.row_total import RowTotal  # their row sums
from derive.ops.softmax import Softmax  # attention weights
from derive.ops.weighted_values import WeightedValues  # weights · values
from derive.ops.residual import Residual  # branch added to the stream
from derive.ops.passed_on import PassedOn  # nothing to add: the branch itself
from derive.ops.relu import ReLU  # negative numbers to 0

ALL = (
    Given, Embedding, RootMeanSquare, RMSNorm, Projection, Rope, Scores, Scale, CausalMask,
    MaskedScores, Exponentials, RowTotal, Softmax, WeightedValues, Residual, PassedOn, ReLU,
)  # fmt: skip

__all__ = [
    "ALL",
    "CausalMask",
    "Embedding",
    "Exponentials",
    "Given",
    "MaskedScores",
    "PassedOn",
    "Projection",
    "RMSNorm",
    "ReLU",
    "Residual",
    "RootMeanSquare",
    "Rope",
    "RowTotal",
    "Scale",
    "Scores",
    "Softmax",
    "WeightedValues",
]
