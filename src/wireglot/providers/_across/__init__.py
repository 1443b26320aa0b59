"""What several APIs say, each in its own words: tools, schemas, thinking, media, errors."""
