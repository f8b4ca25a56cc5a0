# Tandem with what it calls: pg_dump of the server in compose.yaml, and Pango for PDF.
FROM python:3.11-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client libpango-1.0-0 libpangoft2-1.0-0 fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home tandem
WORKDIR /srv/tandem
COPY requirements.txt requirements-pdf.in ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt && pip install --no-cache-dir -r requirements-pdf.in
COPY . .
# What is written lies in var/, which compose.yaml makes a volume of.
RUN mkdir -p var && chown tandem var
USER tandem
