"""The laboratory: instances, suites, runs and reports for comparing methods."""
