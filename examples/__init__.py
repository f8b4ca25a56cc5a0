"""Programs that call Tandem from outside, to copy from. They import nothing of Tandem."""
