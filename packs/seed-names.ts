const words = (text: string) => text.trim().split(/\s+/)

export const firstNames = words(`
  Anselm Beatriz Callum Daniela Emeka Freya Goran Hana Imran Jolanta Kenji Leila Mateo Nadia Oskar Priya Quentin
  Rosa Sanna Tomas Ulla Viktor Wanda Ximena Yusuf Zofia
`)

export const lastNames = words(`
  Abernathy Bergstrom Castellan Dubrow Eastwick Fairweather Galloway Holmgren Ironside Jankovic Kettleby Lindgren
  Moravec Nightwood Okonjo Pemberton Quillfeather Rosendal Sandoval Thistlewood Umarov Vandermeer Whitlock Yamada
`)

export const companies = [
  'Bluebird Bakery',
  'Copper Kettle',
  'Fern and Field',
  'Granite Works',
  'Little Lantern',
  'Northwind Cycles',
  'Paper Crane',
  'Tidewater Books',
]

export const positions = ['Owner', 'Head of growth', 'Support lead', 'Buyer', 'Analyst', 'Engineer']

/** Country and city; the service writes `Not Specified` when it knows neither. */
export const places = [
  ['Not Specified', 'Not Specified'],
  ['Sweden', 'Malmö'],
  ['Canada', 'Halifax'],
  ['India', 'Pune'],
  ['Germany', 'Leipzig'],
  ['Portugal', 'Braga'],
  ['Kenya', 'Kisumu'],
] as const

/** The people whom the email service and the billing service both know: customer cus_1001 is the first subscriber, and so on. */
export const customers = [
  { first: 'Ada', last: 'Lindqvist', address: 'ada@example.com' },
  { first: 'Rosa', last: 'Yamada', address: 'rosa.yamada.1@example.com' },
  { first: 'Ulla', last: 'Whitlock', address: 'ulla.whitlock.2@example.com' },
  { first: 'Tomas', last: 'Moravec', address: 'tomas.moravec.3@example.com' },
  { first: 'Leila', last: 'Rosendal', address: 'leila.rosendal.4@example.com' },
  { first: 'Goran', last: 'Lindgren', address: 'goran.lindgren.5@example.com' },
  { first: 'Ulla', last: 'Yamada', address: 'ulla.yamada.6@example.com' },
  { first: 'Beatriz', last: 'Whitlock', address: 'beatriz.whitlock.7@example.com' },
  { first: 'Beatriz', last: 'Vandermeer', address: 'beatriz.vandermeer.8@example.com' },
  { first: 'Jolanta', last: 'Rosendal', address: 'jolanta.rosendal.9@example.com' },
  { first: 'Zofia', last: 'Thistlewood', address: 'zofia.thistlewood.10@example.com' },
  { first: 'Nadia', last: 'Yamada', address: 'nadia.yamada.11@example.com' },
]

export const customerId = (index: number): string => `cus_${1001 + index}`
