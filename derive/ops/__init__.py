"""The operations, in forward order."""

# isort: off  (the order is the forward pass, and is meant to be read)
from derive.ops.given import Given  # numbers from the model file
from derive.ops.embedding import Embedding  # tokens -> rows of the embedding table
from derive.ops.sinusoids import Sinusoids  # positions as sines and cosines
from derive.ops.token_types import TokenTypes  # which sentence a token belongs to
from derive.ops.input_sum import InputSum  # word + position + token type
from derive.ops.rms import RootMeanSquare  # the size of a row
from derive.ops.rmsnorm import RMSNorm  # rows divided by their size
from derive.ops.mean import Mean  # LayerNorm's first statistic
from derive.ops.variance import Variance  # and its second
from derive.ops.deviation import Deviation  # the root of the variance
from derive.ops.layernorm import LayerNorm  # rows moved to mean 0, divided by that root
from derive.ops.averaged_heads import AveragedHeads  # one KV head made of a group
from derive.ops.projection import Projection  # rows times weights, plus bias
from derive.ops.rope import Rope  # queries and keys turned by their position
from derive.ops.rope_halves import RopeHalves  # the same with other pairs
from derive.ops.rope_clockwise import RopeClockwise, RopeHalvesClockwise  # the other way round
from derive.ops.scores import Scores  # queries · keys
from derive.ops.latent import AbsorbedQueries, LatentScores  # the same with compressed keys
from derive.ops.scale import Scale  # scores / √d_k
from derive.ops.mask import CausalMask, MaskedScores  # who may look at whom
from derive.ops.window import WindowMask  # only what is near
from derive.ops.padding import PaddingMask  # not what only fills up
from derive.ops.combined_mask import CombinedMask  # several masks at once
from derive.ops.alibi import Alibi  # far keys lose
from derive.ops.biased import BiasedMaskedScores, BiasedScores  # scores with that loss
from derive.ops.exponentials import Exponentials  # e^score
from derive.ops.powers import Powers  # base^score
from derive.ops.relu_scores import ReLUScores  # max(0, score)
from derive.ops.zero_where_hidden import ZeroWhereHidden  # scores that can be added up
from derive.ops.row_total import RowTotal  # their row sums
from derive.ops.softmax import Softmax  # attention weights
from derive.ops.share import Share  # weights without exponentials
from derive.ops.hard import HardAttention  # all on the best key
from derive.ops.weighted_values import WeightedValues  # weights · values
from derive.ops.latent import LatentValues  # the same with compressed values
from derive.ops.flash_maximum import FlashMaximum  # FlashAttention: the largest score so far
from derive.ops.flash_rescaling import FlashRescaling  # what earlier sums are worth under it
from derive.ops.flash_total import FlashTotal  # exponentials, tile by tile
from derive.ops.flash_values import FlashValues  # and values weighted by them
from derive.ops.flash_result import FlashResult  # divided at the end: Z again
from derive.ops.concatenation import Concatenation  # heads side by side
from derive.ops.residual import Residual  # branch added to the stream
from derive.ops.passed_on import PassedOn  # nothing to add: the branch itself
from derive.ops.relu import ReLU  # negative numbers to 0
from derive.ops.leaky_relu import LeakyReLU  # negative numbers shrink
from derive.ops.gelu import GELU  # u times a normal chance
from derive.ops.gelu_tanh import GELUTanh  # nearly the same
from derive.ops.gelu_sigmoid import GELUSigmoid  # nearly the same
from derive.ops.silu import SiLU  # u · σ(u)
from derive.ops.sigmoid import Sigmoid  # into 0 … 1
from derive.ops.tanh import Tanh  # into -1 … 1
from derive.ops.gate import Gate  # one branch times the other
from derive.ops.top_experts import TopExperts  # which experts a row goes to
from derive.ops.expert_sum import ExpertSum  # what they make of it, by weight
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
    TokenTypes,
    InputSum,
    RootMeanSquare,
    RMSNorm,
    Mean,
    Variance,
    Deviation,
    LayerNorm,
    AveragedHeads,
    Projection,
    Rope,
    RopeHalves,
    RopeClockwise,
    RopeHalvesClockwise,
    Scores,
    AbsorbedQueries,
    LatentScores,
    Scale,
    CausalMask,
    MaskedScores,
    WindowMask,
    PaddingMask,
    CombinedMask,
    Alibi,
    BiasedMaskedScores,
    BiasedScores,
    Exponentials,
    Powers,
    ReLUScores,
    ZeroWhereHidden,
    RowTotal,
    Softmax,
    Share,
    HardAttention,
    WeightedValues,
    LatentValues,
    FlashMaximum,
    FlashRescaling,
    FlashTotal,
    FlashValues,
    FlashResult,
    Concatenation,
    Residual,
    PassedOn,
    ReLU,
    LeakyReLU,
    GELU,
    GELUTanh,
    GELUSigmoid,
    SiLU,
    Sigmoid,
    Tanh,
    Gate,
    TopExperts,
    ExpertSum,
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
    "GELU",
    "AbsorbedQueries",
    "Alibi",
    "AveragedHeads",
    "BiasedMaskedScores",
    "BiasedScores",
    "CausalMask",
    "ColumnMean",
    "CombinedMask",
    "Concatenation",
    "CrossEntropy",
    "Cut",
    "Deviation",
    "Embedding",
    "ExpertSum",
    "Exponentials",
    "FlashMaximum",
    "FlashRescaling",
    "FlashResult",
    "FlashTotal",
    "FlashValues",
    "GELUSigmoid",
    "GELUTanh",
    "Gate",
    "Given",
    "HardAttention",
    "InputSum",
    "LatentScores",
    "LatentValues",
    "LayerNorm",
    "LeakyReLU",
    "MaskedScores",
    "Mean",
    "PaddingMask",
    "PassedOn",
    "Powers",
    "Projection",
    "RMSNorm",
    "ReLU",
    "ReLUScores",
    "Residual",
    "RootMeanSquare",
    "Rope",
    "RopeClockwise",
    "RopeHalves",
    "RopeHalvesClockwise",
    "RowTotal",
    "RunningTotal",
    "Scale",
    "Scores",
    "Share",
    "SiLU",
    "Sigmoid",
    "Sinusoids",
    "SoftCap",
    "Softmax",
    "Tanh",
    "Tempered",
    "TokenTypes",
    "TopExperts",
    "Transpose",
    "Variance",
    "WeightedValues",
    "WindowMask",
    "ZeroWhereHidden",
]
