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
