/** What the demo shop sells. */
export type Item = [
  name: string,
  sku: string,
  category: number,
  price: string,
  cost: string,
  stock: number,
  reorder: number,
  tracking?: 'batch' | 'serial',
]

export const shelf: Item[] = [
  ['Linen apron', 'KIT-APRON', 0, '34.00', '12.40', 48, 10],
  ['Oak chopping board', 'KIT-BOARD', 0, '59.00', '24.00', 22, 8],
  ['Enamel mug, blue', 'KIT-MUG-BL', 0, '14.50', '4.20', 160, 40],
  ['Enamel mug, white', 'KIT-MUG-WH', 0, '14.50', '4.20', 31, 40],
  ['Cast-iron pan 26 cm', 'KIT-PAN-26', 0, '79.00', '33.50', 12, 6],
  ['Stoneware bowl', 'KIT-BOWL', 0, '22.00', '7.10', 0, 12],
  ['Brass watering can', 'GRD-CAN', 1, '68.00', '29.90', 15, 5],
  ['Hand trowel', 'GRD-TROWEL', 1, '18.00', '5.60', 74, 20],
  ['Jute twine, 200 m', 'GRD-TWINE', 1, '9.50', '2.15', 210, 50],
  ['Terracotta pot 20 cm', 'GRD-POT-20', 1, '12.00', '3.40', 96, 30],
  ['Wool blanket', 'HOM-BLANKET', 2, '129.00', '61.00', 9, 4],
  ['Beeswax candle', 'HOM-CANDLE', 2, '16.00', '5.05', 130, 30],
  ['Reading lamp', 'HOM-LAMP', 2, '96.00', '44.80', 3, 5],
  ['Olive oil 0.5 l', 'PAN-OIL', 3, '17.50', '8.20', 0, 24, 'batch'],
  ['Heather honey', 'PAN-HONEY', 3, '11.00', '4.60', 0, 24, 'batch'],
  ['Espresso machine', 'KIT-ESPRESSO', 0, '489.00', '255.00', 0, 3, 'serial'],
]
