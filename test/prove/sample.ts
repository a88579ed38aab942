/** Another sample every day and the same all day, so that a failure can be had again: PROVE_SEED names the day. */
export const seed = Number(
  process.env.PROVE_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''),
)

export const sample = { sample: true, seed, say: () => undefined }

process.stdout.write(`Proofs are sampled with PROVE_SEED=${seed}\n`)
