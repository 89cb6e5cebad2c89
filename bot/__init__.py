"""Everything between the rules and Discord: tables, storage, sentences, panels."""
