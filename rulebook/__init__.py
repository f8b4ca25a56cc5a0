"""What would be printed in a rules document: pure values in, pure values out."""
