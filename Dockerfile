# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The Node that the lock file names becomes the image's only one; npm, and the Node it runs on, stay behind in this stage.
RUN npm ci --omit=dev \
 && cp node_modules/node-linux-*/bin/node /usr/local/bin/bellhop-node \
 && rm -rf node_modules/node-linux-* node_modules/.bin \
 && mkdir /data
COPY bin ./bin
COPY src ./src
COPY packs ./packs
COPY commands ./commands
COPY adapters ./adapters
COPY assets ./assets
COPY verify.mjs ./
# 28 MB of date-fns, for a few functions.
RUN node src/cli/keep-imported.js
# A clone may be readable by its owner alone, and the image's user is somebody else.
RUN chmod -R a+rX .

# glibc, libstdc++ and certificates: no shell, no package manager, and a user of its own (65532).
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/bellhop-node /usr/local/bin/node
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
# Large files and the embedded database need a place for temporary files, and the volume is the only one that can be written to.
# Charts are drawn with the font that the bot brings; there is no other, nor a list of them.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data TMPDIR=/data FONTCONFIG_FILE=/app/assets/fonts/fonts.conf
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Everything that the command can do runs the same way: docker run ... bellhop doctor
ENTRYPOINT ["node", "--max-semi-space-size=8", "--preserve-symlinks", "bin/bellhop"]
CMD ["start"]
