/** Another sample every day and the same all day, so that a failure can be had again: PROVE_SEED names the day. */
export const dailySeed = Number(
  process.env.PROVE_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''),
)

process.stdout.write(`What is sampled is sampled with PROVE_SEED=${dailySeed}\n`)
