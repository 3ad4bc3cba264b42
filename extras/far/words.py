"""The words of tickets: 1024 plain English words, ten bits each.

Any two differ by more than one letter typed wrong, left out, added or exchanged with its neighbour, and none begins
another. The order is part of the protocol. Specification: extras/far/docs/relay.md, "Tickets".
"""

from typing import Final

_TEXT: Final = """

  above absent accept acorn across active actor admire adopt adult after again agree alarm album almond almost
  along always amber anchor ancient animal ankle answer antenna apple apricot apron arcade archer arena around
  arrive arrow artist aspen atlas attic august aunt autumn avenue avocado award away axle baby bacon badge bagel
  baker balance balcony ballet balloon bamboo banana bandage banjo banner barber barley barn barrel basil basket
  battery beaver because become beetle before begin behind believe below belt bench beside between beyond
  bicycle birch birthday biscuit blanket blossom blouse blue boat bonfire bonnet book border borrow bottle
  bounce bowl bracelet branch brass brave breathe breeze brick bridge bright bring broad broccoli bronze broom
  brother brown brush bubble bucket buckle buffalo builder bulb bundle bunny burger busy butcher butter button
  cabbage cabin cable cactus cake calendar camel camera canal canary candle candy canoe canvas canyon captain
  caravan cardigan careful cargo carpet carrot carry cartoon castle catalog celery cement chain chalk champion
  chapel chase cheap cheer cheese cherry chess chicken chimney chisel cinema cinnamon circle circus citizen city
  clam clarinet clean cliff climber clinic clock cloud clover clumsy cobra cobweb coconut coffee collar collect
  comb comet comic compare compass concert connect cookie copper coral corner cottage cotton cougar count cousin
  cowboy coyote crab cradle crane crater crawl crayon cream create cricket crisp crow crumb crystal cucumber cup
  curious curtain cushion custard cycle cypress daffodil dairy dancer dawn decade deep deliver delta dentist
  depot describe desk diamond dice dinghy dinner dinosaur diploma discover dish diver divide doctor dolphin
  domino donkey donut door dove dragon drawer dress drift drill drink drive drum duck dumpling dune during dust
  dwarf eager eagle early earring earth easel east echo eclipse eel egg elbow elegant elephant elevator emerald
  emperor empty engine enjoy enough envelope equal escape evening exact exit explain explore express eyebrow
  fabric factory falcon family famous fancy farmer father fence fennel fern festival fetch fiction fiddle field
  finger finish fire flag flame flamingo flannel flask float flood fluffy flute forest forge fork fortress
  forward fossil fountain fox freckle freezer fresh friday friend frost frozen fruit furnace gadget galaxy
  gallery garage garden garlic gate gazelle general genie gentle geyser giant giddy giraffe glacier glad glass
  glider globe goblet gold gondola goose gopher gorilla grain grand granite grape gravel gravy green grocer
  guess guitar gull hammer hammock hamster happy harp harvest hawk hazel headline heart heavy hedge hello helmet
  herb hermit heron hexagon highway hill hippo hobby hockey holiday hollow honest honey hood horizon hornet
  hospital hotel hound house hover huge humble hungry hunter hurdle hurry husky hydrant hyena iceberg icicle
  icing ideal igloo iguana imagine improve indeed index indigo infant insect inside invent invite invoice iris
  iron island ivory jacket jackpot jade jaguar january jasmine jazz jeans jelly jersey jester jigsaw join joker
  journal journey judge juggler juice july jumper jungle juniper kangaroo karate kayak ketchup kettle keyboard
  kidney king kiosk kitchen kite kitten kiwi knee knock koala label ladder lady lagoon lamb language lantern
  larch large laser laugh laundry lavender lawyer leaf learn leather lecture legend lemon lend lentil leopard
  letter lettuce lever library lilac lily linen lion listen lively lizard llama lobster local locker locust
  lodge logbook lorry lotus lounge lucky lullaby lumber lunch machine magic magnet magpie major maple marble
  margin market marmot marsh maybe meadow measure melody melon memory mermaid merry meteor mighty mile mineral
  minor minute mirror model modern monday month moon morning mosaic moss mother motor movie muffin museum music
  myth napkin nature nearby neck needle nephew nest nickel nimble nine noble noodle normal north notice novel
  nugget nurse nutmeg nylon oasis oatmeal obey oboe observe ocean october octopus offer office often olive onion
  opal opera orange orbit orchard orchid organ origami ostrich otter outfit outside oven oxygen oyster package
  paddle page pagoda painter palace palm pancake panda panther papaya paper parade parcel park parsley pasta
  pastry path patrol peacock peanut pearl pebble pelican pencil penguin pepper perfect perform perfume perhaps
  petal phone photo piano pickle picnic pigeon pillar pillow pilot pink pipe pirate pizza plain planet plaster
  plate please pocket poem polar police polish pond popcorn poppy port postman potato pottery powder prairie
  prepare present prince prize program promise protect proud pudding pulley pumpkin pupil puppet purple push
  puzzle pyramid python quail quarry queen quick quilt quite quiver quiz rabbit raccoon radar radio radish raft
  railway rainbow raisin ranger rapid rare rattle raven razor ready receive recipe record reef repair repeat
  reply reptile rescue resort return rhino rhubarb rhythm ribbon rinse robin robot rodeo roll roof rooster rope
  rowboat royal rubber ruby rudder ruler runner safari safe sailor salad salmon salt sandal satchel saturn
  saucer sauna sausage savanna scale scarf scatter school science scooter screw seal search season secret seldom
  sequel seven shadow shampoo shark sheep sheriff shield shiny ship shirt shoe shout shovel shower shrimp
  shuttle signal silence silent silver simple since sister skate sketch sled sleepy sleeve slipper sloth smoke
  smooth snail snake sneeze snow soap soccer sock sofa soldier solid solve south spade sparrow speak special
  spell spend spicy spider spinach spiral sponge spoon spring sprout spruce squash squeeze squid stable stadium
  stamp star statue steady steam sticky stone stool storm straw street stretch stroll strong studio subway sugar
  summer sunday supper surgeon swallow swan sweater swift swim swing tablet tackle tadpole tall tango target
  tart taxi teacher teapot temple tennis tent termite thanks theatre thermos thick thimble thistle thorn thread
  through throw thumb thunder ticket tidy tiger timber tinsel toast today tomato tongue tooth topaz torch
  tornado toucan tough toward towel town tractor trail tree trellis tremble tripod trolley trophy trout truck
  truffle trumpet trust tube tuesday tulip tuna tunnel turban turkey turnip turtle tuxedo tweed twelve twice
  twig twist typist uncle under unicorn uniform unlock until upward useful vacuum valley vanilla vanish vase
  vault velvet verdict victory video village vinegar violet violin visitor vivid volcano voyage vulture waffle
  wagon waiter wallaby walnut walrus waltz wander warrior wasp watch wedding weekend welcome wheat whirl whisker
  wide wigwam wild window winter within without wolf wombat wooden wool worm wreath wrist yacht yard yellow
  young zebra zenith zero zigzag zinc zipper zodiac
"""
WORDS: Final = tuple(_TEXT.split())
