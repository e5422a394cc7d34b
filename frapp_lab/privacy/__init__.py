"""How much one report gives away: the amplification γ and posteriors (FRAPP §2.1 and §4.1)."""

from frapp_lab.privacy.matrices import amplification, posterior
from frapp_lab.privacy.promises import (
    epsilon_from_gamma,
    gamma_from_breach,
    gamma_from_epsilon,
    highest_prior,
    worst_posterior,
)
from frapp_lab.privacy.ranges import (
    bayesian_posterior,
    check_alpha,
    max_alpha,
    off_diagonal,
    posterior_cdf,
    posterior_range,
    realized_amplification,
    realized_posterior,
)
