FROM node:24-slim AS client
WORKDIR /house/clients/web
COPY clients/web/package.json clients/web/package-lock.json clients/web/.npmrc ./
RUN npm install --no-save --no-audit --no-fund
COPY clients/web ./
RUN npm run build

FROM python:3.11-slim
WORKDIR /house
COPY pyproject.toml README.md ./
COPY compiled compiled
COPY rummy rummy
COPY fairness fairness
COPY wallet wallet
COPY server server
COPY clients clients
COPY migrations migrations
RUN pip install --no-cache-dir --editable .
COPY --from=client /house/clients/web/dist clients/web/dist
RUN useradd --create-home house && mkdir /keys /data && chown house /keys /data
USER house
ENV RUMMY_HOST=0.0.0.0 RUMMY_KEYS_DIR=/keys RUMMY_DATA_DIR=/data
EXPOSE 8000
CMD ["python", "-m", "server", "serve"]
