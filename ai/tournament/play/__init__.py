"""Games of a tournament, played by workers here and on other machines."""
