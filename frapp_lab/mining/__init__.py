"""From reports back to itemsets: reconstruction, optimality, predicted errors, Apriori, rules."""
