"""From reports back to counts and itemsets: reconstruction, optimality, theory, Apriori, rules."""
