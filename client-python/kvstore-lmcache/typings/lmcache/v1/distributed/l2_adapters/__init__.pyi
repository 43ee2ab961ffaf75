from typing import Any

# Of tests.
create_l2_adapter: Any
