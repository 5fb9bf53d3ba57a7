/** What is read again after stock has moved. */
export const stockKeys = [['stock'], ['products'], ['batches'], ['serials']]
