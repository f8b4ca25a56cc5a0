"""Who meets whom and where: Swiss rounds, byes, pods, brackets, round robins and tables."""
