import { defined } from '../../lib/defined.ts'
import type { Action, Menu, View } from '../../lib/view/view.ts'

/** What people do next with what a view shows, as buttons: of what was offered, what its reader may run. */
export const offeredActions = ({ offers = [] }: Pick<View, 'offers'>, menu: Menu | undefined): Action[] =>
  offers.flatMap(({ thing, command, label, mends }): Action[] => {
    const item = menu?.items.find((one) => one.thing.kind === thing.kind && one.thing.id === thing.id)
    return menu !== undefined && item?.actions.includes(command) === true
      ? [{ verb: 'act', id: `${menu.id}.${item.at}.${command}`, label, ...defined({ mends }) }]
      : []
  })
