# Candor as an image: a process that is not root, with nothing in it but the package and what it runs on. No step fetches anything
# but packages of the lock, and none of them runs an install script, so one file serves every platform of the base image:
#   docker buildx build --platform linux/amd64,linux/arm64 -t candor .
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY web web
# DuckDB is left to those who need it in an installation by npm; the image has no npm to get it with.
RUN npm run build && cp -r node_modules/@duckdb /duckdb && npm prune --omit=dev --ignore-scripts \
  && cp -r /duckdb node_modules/@duckdb

FROM ${NODE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json README.md LICENSE NOTICE ./
COPY docs docs
COPY examples examples
RUN printf '#!/bin/sh\nexec node /app/dist/cli/main.js "$@"\n' > /usr/local/bin/candor \
  && chmod 755 /usr/local/bin/candor \
  && mkdir /project && chown 1000:1000 /project
# The base image calls this user `node`.
USER 1000:1000
WORKDIR /project
VOLUME /project
EXPOSE 8713
# 503 once it is told to end, so that nobody is sent to it any more.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8713/health').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# Ends at SIGTERM by itself: runs in work are finished first.
ENTRYPOINT ["candor"]
CMD ["--help"]
