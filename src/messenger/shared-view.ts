import type { View } from '../view/view.ts'

/** An answer as everybody in the channel sees it: with who shared it, and without the buttons, which were the asker's own. */
export const sharedView = (view: View, name: string): View => {
  const by = `Shared by ${name}`
  return { ...view, actions: [], footer: view.footer === undefined ? by : `${view.footer} · ${by}` }
}
