"""The numbers behind the explorers: frozen parameters in, a frozen result out, no widgets."""
