"""What changes in the compiled output between two trees."""
