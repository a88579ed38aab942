/** Loaded into the bot before it starts: tells on request how long, in time of the processor, the longest turn of its event loop was. */
const lookMs = 5
const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let before = workedMs()
let longest = 0
setInterval(() => {
  const now = workedMs()
  longest = Math.max(longest, now - before)
  before = now
}, lookMs).unref()
process.on('message', () => {
  process.send?.(longest)
  longest = 0
})
process.channel?.unref()
