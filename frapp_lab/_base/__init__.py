"""What every room stands on: checks, random streams, files of results, progress on a console."""
