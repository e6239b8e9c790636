"""The operations, in forward order."""

# isort: off  (the order is the forward pass, and is meant to be read)
from derive.ops.given import Given  # numbers from the model file
from derive.ops.embedding import Embedding  # tokens -> rows of the embedding table
from derive.ops.sinusoids import Sinusoids  # positions as sines and cosines
from derive.ops.rms import RootMeanSquare  # the size of a row
from derive.ops.rmsnorm import RMSNorm  # rows divided by their size
from derive.ops.mean import Mean  # LayerNorm's first statistic
from derive.ops.variance import Variance  # and its second
from derive.ops.deviation import Deviation  # the root of the variance
from derive.ops.layernorm import LayerNorm  # rows moved to mean 0, divided by that root
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
from derive.ops.transpose import Transpose  # an unembedding tied to the embedding
from derive.ops.soft_cap import SoftCap  # large scores bent towards a bound
from derive.ops.temperature import Tempered  # e^(logit / T)
from derive.ops.cut import Cut  # top-k and top-p
from derive.ops.running_total import RunningTotal  # shares of [0, 1) to draw from
from derive.ops.cross_entropy import CrossEntropy  # surprise at the next word
from derive.ops.column_mean import ColumnMean  # its mean over the text

ALL = (
    Given,
    Embedding,
    Sinusoids,
    RootMeanSquare,
    RMSNorm,
    Mean,
    Variance,
    Deviation,
    LayerNorm,
    Projection,
    Rope,
    Scores,
    Scale,
    CausalMask,
    MaskedScores,
    Exponentials,
    RowTotal,
    Softmax,
    WeightedValues,
    Residual,
    PassedOn,
    ReLU,
    Transpose,
    SoftCap,
    Tempered,
    Cut,
    RunningTotal,
    CrossEntropy,
    ColumnMean,
)

__all__ = [
    "ALL",
    "CausalMask",
    "ColumnMean",
    "CrossEntropy",
    "Cut",
    "Deviation",
    "Embedding",
    "Exponentials",
    "Given",
    "LayerNorm",
    "MaskedScores",
    "Mean",
    "PassedOn",
    "Projection",
    "RMSNorm",
    "ReLU",
    "Residual",
    "RootMeanSquare",
    "Rope",
    "RowTotal",
    "RunningTotal",
    "Scale",
    "Scores",
    "Sinusoids",
    "SoftCap",
    "Softmax",
    "Tempered",
    "Transpose",
    "Variance",
    "WeightedValues",
]
